"""Pictures of positions, as SVG and PNG, in the board's own drawings and colours."""
