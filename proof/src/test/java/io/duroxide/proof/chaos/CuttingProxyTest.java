package io.duroxide.proof.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Cutting proxy")
class CuttingProxyTest {

  @Test
  @DisplayName("a connection ends after the byte that was chosen; the next one is whole")
  void cuts() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CuttingProxy proxy = new CuttingProxy(server.getLocalPort())) {
      proxy.cutAfter(5);
      assertThat(passed(server, proxy)).isEqualTo("01234");
      Awaitility.await().until(() -> proxy.cuts() == 1);
      assertThat(passed(server, proxy)).isEqualTo("0123456789");
    }
  }

  @Test
  @DisplayName("a lost answer ends its connection after the whole request has passed")
  void loses() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CuttingProxy proxy = new CuttingProxy(server.getLocalPort());
        Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        Socket accepted = server.accept()) {
      proxy.loseAnswer();
      client.getOutputStream().write("ask".getBytes(UTF_8));
      assertThat(accepted.getInputStream().readNBytes(3)).isEqualTo("ask".getBytes(UTF_8));
      accepted.getOutputStream().write("answer".getBytes(UTF_8));

      assertThat(client.getInputStream().readAllBytes()).isEmpty();
      assertThat(proxy.cuts()).isEqualTo(1);
    }
  }

  /** What of ten bytes arrives. */
  private static String passed(ServerSocket server, CuttingProxy proxy) throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        Socket accepted = server.accept();
        InputStream input = accepted.getInputStream()) {
      client.getOutputStream().write("0123456789".getBytes(UTF_8));
      client.shutdownOutput();
      return new String(input.readAllBytes(), UTF_8);
    }
  }
}
