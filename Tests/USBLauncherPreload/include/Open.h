// A library that is loaded before umockdev into programs on an emulated bus. Nothing here is called by name.
