"""Dice games as values. Standard library only: no I/O, clock, randomness, threads."""
