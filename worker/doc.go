// Command worker runs the workflows and activities of one account: it holds that account's TabNews session and serves
// the task queue tabnews/ACCOUNT. Its settings come from the environment (internal/config, README).
//
//	worker          serve until SIGTERM or SIGINT; a send that is under way ends first
//	worker health   ask POSTONCE_HEALTH_ADDR whether the worker is ready; exit 0 or 1
//	worker version
package main
