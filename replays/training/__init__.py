"""Making the analysis models: simulating matches for them, fitting, and scoring."""
