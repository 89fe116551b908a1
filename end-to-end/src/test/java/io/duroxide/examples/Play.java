package io.duroxide.examples;

import io.duroxide.client.Client;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * An example taken apart: what its nodes run and what its client does, so that the nodes can be
 * stopped and started while the client waits.
 *
 * @param name the example
 * @param acts what happens one after the other, each with nodes of its own
 */
public record Play(String name, List<Act> acts) {

  /**
   * A part of a play with the same nodes throughout.
   *
   * @param nodes what runs side by side
   * @param script what the client does; its results are compared
   */
  public record Act(List<Node> nodes, Function<Client, Object> script) {}

  /** How one node is configured and what it runs. */
  public record Node(
      UnaryOperator<RuntimeOptions.Builder> options,
      UnaryOperator<DuroxideRuntime.Builder> registrations) {
    /** Starts it. */
    public DuroxideRuntime on(Provider store, RuntimeOptions.Builder given) {
      return registrations
          .apply(DuroxideRuntime.builder(store).options(options.apply(given).build()))
          .start();
    }
  }

  /** One node and one client. */
  static Play of(
      String name,
      UnaryOperator<DuroxideRuntime.Builder> registrations,
      Function<Client, Object> script) {
    return new Play(name, List.of(act(registrations, script)));
  }

  static Act act(
      UnaryOperator<DuroxideRuntime.Builder> registrations, Function<Client, Object> script) {
    return new Act(List.of(new Node(UnaryOperator.identity(), registrations)), script);
  }

  @Override
  public String toString() {
    return name;
  }
}
