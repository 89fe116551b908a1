package io.duroxide.provider.tck;

import java.util.Arrays;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips an entry, and says why, when the fixture lacks a feature that the entry's tags name. */
final class FeatureCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return context
        .getTestInstance()
        .filter(ProviderTck.class::isInstance)
        .map(test -> evaluate((ProviderTck) test, context))
        .orElseGet(() -> ConditionEvaluationResult.enabled("no entry yet"));
  }

  private static ConditionEvaluationResult evaluate(ProviderTck test, ExtensionContext context) {
    ConditionEvaluationResult result = evaluate(test.fixture(), context);
    if (result.isDisabled()) {
      test.fixture().close();
    }
    return result;
  }

  private static ConditionEvaluationResult evaluate(
      ProviderFixture fixture, ExtensionContext context) {
    return Arrays.stream(Feature.values())
        .filter(feature -> context.getTags().contains(feature.tag()))
        .filter(feature -> !fixture.features().contains(feature))
        .findFirst()
        .map(missing -> ConditionEvaluationResult.disabled("needs " + missing))
        .orElseGet(() -> ConditionEvaluationResult.enabled("every needed feature is there"));
  }
}
