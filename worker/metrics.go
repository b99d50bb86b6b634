package main

import (
	"go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.temporal.io/sdk/client"
	temporalotel "go.temporal.io/sdk/contrib/opentelemetry"
)

// withMetrics gives the SDK's own metrics to Prometheus' default registry, which /metrics serves. Worth an alarm:
// temporal_corrupted_signals, temporal_workflow_task_execution_failed, and failures of RespondActivityTaskCompleted.
func withMetrics(o *client.Options) {
	exporter, err := prometheus.New()
	if err != nil {
		return // metrics are worth less than the worker
	}
	provider := metric.NewMeterProvider(metric.WithReader(exporter))
	o.MetricsHandler = temporalotel.NewMetricsHandler(temporalotel.MetricsHandlerOptions{Meter: provider.Meter("postonce")})
}
