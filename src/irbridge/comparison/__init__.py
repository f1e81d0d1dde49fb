"""Systems side by side: whether one is better (spec/statistics.md), how alike their rankings are, and several made one."""
