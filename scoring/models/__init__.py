from scoring.models.play import Call, Game, Hand, Holding, Play, RefusedAttempt

__all__ = ["Call", "Game", "Hand", "Holding", "Play", "RefusedAttempt"]
