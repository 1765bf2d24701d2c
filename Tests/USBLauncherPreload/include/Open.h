// Loaded before umockdev into programs on an emulated bus; nothing here is called by name.
