"""What the tray tells other programs of the house: MQTT, lights, webhooks. Off by default, never in the game's way."""
