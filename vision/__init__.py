"""Pictures to dice: frame -> tray state -> settled throw. numpy and OpenCV only."""
