"""Servers, settings and the commands that run them."""

from django.apps import AppConfig


class DeployConfig(AppConfig):
    name = "deploy"
    verbose_name = "Deployment"
