"""The Pi's 40-pin header: what is at which position, the same on every Pi that has one."""

# BCM number -> position; 1 is the square pad, odd positions on the left with the USB sockets at the bottom.
HEADER = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33,
    14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
POWER = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
# BCM numbers that the Pi or what is plugged onto it may want.
TAKEN = {
    0: "identity of add-on boards", 1: "identity of add-on boards", 2: "I2C", 3: "I2C and the power button",
    7: "SPI", 8: "SPI", 9: "SPI", 10: "SPI", 11: "SPI", 14: "the serial console", 15: "the serial console",
}  # fmt: skip
