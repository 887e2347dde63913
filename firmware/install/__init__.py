"""Put Stickman on a machine as a service, and take it off again. Standard library only: it runs before all else."""
