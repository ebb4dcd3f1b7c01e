"""Agents that learn: the games as environments of PettingZoo and Gymnasium, and exact answers about what is learned."""
