import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;

/**
 * Runs one OpenSearch node from the class path: {@code java -cp 'lib/*' OpenSearchNode.java <home> <name=value>...}.
 * It prints {@code started} when the node serves requests, and closes the node on SIGTERM.
 */
public final class OpenSearchNode {
  private static final List<String> PLUGINS = List.of(
      "org.opensearch.transport.Netty4Plugin",
      "org.opensearch.join.ParentJoinPlugin",
      "org.opensearch.percolator.PercolatorPlugin");

  /** The constructor of a node that takes plugins from the class path is protected. */
  private static final class PluggedNode extends Node {
    PluggedNode(Environment environment, List<Class<? extends Plugin>> plugins) {
      super(environment, plugins, false);
    }
  }

  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]).toAbsolutePath();
    Path config = Files.createDirectories(home.resolve("config"));
    Map<String, String> properties = new HashMap<>();
    properties.put("path.home", home.toString());
    for (String arg : List.of(args).subList(1, args.length)) {
      String[] pair = arg.split("=", 2);
      properties.put(pair[0], pair[1]);
    }
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(Settings.EMPTY, properties, config, () -> "trigate-test");
    LogConfigurator.setNodeName("trigate-test");
    Node node = new PluggedNode(environment, plugins());
    CountDownLatch closed = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        node.close();
      } catch (Exception error) {
        error.printStackTrace();
      }
      closed.countDown();
    }));
    node.start();
    System.out.println("started");
    closed.await();
  }

  private static List<Class<? extends Plugin>> plugins() throws ClassNotFoundException {
    List<Class<? extends Plugin>> classes = new ArrayList<>();
    for (String name : PLUGINS) {
      classes.add(Class.forName(name).asSubclass(Plugin.class));
    }
    return classes;
  }
}
