"""Looking back: timelines, analysis, charts, notes, and the pages that show them."""
