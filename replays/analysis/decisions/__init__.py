"""Decisions judged by playing on: takes that were open to a seat when its hand did something else.

Only what the seat could know when its hand moved is used (`knowledge`); what came of it is told,
but does not change a verdict. docs/match-report.md says how far these verdicts can be trusted.
"""
