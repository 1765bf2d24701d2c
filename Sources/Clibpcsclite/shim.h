// The client interface of PC/SC, and the attributes and control codes of readers.
#include <winscard.h>
#include <reader.h>
