"""What-ifs over HTTP; what they are is in `replays.variations`."""
