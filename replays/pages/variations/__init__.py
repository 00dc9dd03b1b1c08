"""What-ifs over HTTP. They are defined in `replays.variations`."""
