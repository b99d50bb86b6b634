package main

import (
	"context"
	"errors"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"postonce/workflows"
)

// registerSearchAttributes adds those that are missing. Without them a workflow task that sets one fails again and
// again, so nothing is polled before they are there.
func registerSearchAttributes(ctx context.Context, c client.Client, namespace string) error {
	operator := c.OperatorService()
	listed, err := operator.ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return fmt.Errorf("search attributes of namespace %q: %w", namespace, err)
	}
	missing := map[string]enumspb.IndexedValueType{}
	for _, name := range []string{workflows.AttributeState, workflows.AttributeRef, workflows.AttributeAccount} {
		have, ok := listed.GetCustomAttributes()[name]
		switch {
		case !ok:
			missing[name] = enumspb.INDEXED_VALUE_TYPE_KEYWORD
		case have != enumspb.INDEXED_VALUE_TYPE_KEYWORD:
			return &refusedError{fmt.Errorf("search attribute %s: is of type %s, it must be Keyword; remove it or use another namespace (TEMPORAL_NAMESPACE)", name, have)}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err = operator.AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{Namespace: namespace, SearchAttributes: missing})
	var exists *serviceerror.AlreadyExists // another worker was quicker
	if err != nil && !errors.As(err, &exists) {
		return fmt.Errorf("search attributes of namespace %q: %w", namespace, err)
	}
	return nil
}
