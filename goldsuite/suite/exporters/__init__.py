"""Gold files, written for other tools."""
