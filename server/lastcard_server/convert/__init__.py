"""Engine and match types on one side, messages on the other; only servicers see both too."""
