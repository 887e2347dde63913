"""The program on the box: drivers, processes, journal, command line. Nothing imports it."""
