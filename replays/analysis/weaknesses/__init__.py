"""What costs a player points: signs of weaknesses in a match, and what they are worth."""
