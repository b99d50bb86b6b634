// Package config reads the worker's settings from the environment and refuses those that would break a promise. Each
// error names the variable, the rule and the way out, and never shows a secret.
package config
