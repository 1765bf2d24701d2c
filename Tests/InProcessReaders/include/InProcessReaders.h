// Declares nothing: InProcessReaders.c works by being linked.
