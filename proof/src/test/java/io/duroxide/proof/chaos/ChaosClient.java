package io.duroxide.proof.chaos;

import io.duroxide.provider.Provider;
import java.io.IOException;
import java.io.OutputStream;

/** A process that only calls. It halts when its input ends. */
final class ChaosClient {
  private ChaosClient() {}

  /** Runs a client; the arguments are a {@link Birth}. */
  public static void main(String[] arguments) throws IOException {
    Birth birth = Birth.of(arguments);
    Provider store = birth.options().open(birth.address());
    System.out.println(ChaosNode.READY);
    ClientWork work =
        new ClientWork(birth.folder(), store, birth.name(), birth.slot(), birth.beganAt());
    Thread.ofPlatform()
        .daemon()
        .name("client")
        .start(() -> {
          work.perform();
          System.out.println(ChaosNode.FINISHED);
        });
    System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }
}
