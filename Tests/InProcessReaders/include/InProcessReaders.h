// Nothing to call: see InProcessReaders.c
