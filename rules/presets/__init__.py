"""The rule sets that come with the tray, one TOML file each."""
