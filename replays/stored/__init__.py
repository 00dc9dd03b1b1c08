"""Results that are worked out once for a log and a version of the measures, and then stored."""
