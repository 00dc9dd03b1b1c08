"""What a match shows when it is measured: one file a measure, `report` for all of them."""
