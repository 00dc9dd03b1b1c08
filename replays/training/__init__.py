"""Making the models of the analysis: matches simulated for it, the fitting, the scores."""
