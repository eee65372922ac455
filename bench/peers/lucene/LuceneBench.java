import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogByteSizeMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Version;

/**
 * Lucene as a peer of bench/index.ts: builds an index of a file of documents (its form is told in
 * bench/index/documents.ts), asks it queries, and prints figures as JSON.
 *
 * <pre>
 *   java LuceneBench version
 *   java LuceneBench build DOCUMENTS INDEX positional|documents MEMORY_MB WARM_PASSES WARM_MS PASSES
 *   java LuceneBench query INDEX QUERIES LIMIT WARM_PASSES WARM_MS PASSES
 * </pre>
 */
public final class LuceneBench {
  private static final String FIELD = "text";

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "version" -> System.out.println(Version.LATEST);
      case "build" -> timeBuild(args);
      case "query" -> query(args);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** As `timeBuild` of bench/index/engine.ts: the first build is cold, some more warm up, of the last ones the median. */
  private static void timeBuild(String[] args) throws IOException {
    int warmPasses = Integer.parseInt(args[5]);
    long warmMs = Long.parseLong(args[6]);
    int passes = Integer.parseInt(args[7]);
    OneBuild cold = build(args);
    double peak = peakMb();
    long start = System.nanoTime();
    for (int pass = 1; pass < warmPasses || System.nanoTime() - start < warmMs * 1_000_000; pass++) build(args);
    List<OneBuild> timed = new ArrayList<>();
    for (int pass = 0; pass < passes; pass++) timed.add(build(args));
    System.out.printf(
        "{\"documents\":%d,\"addSeconds\":%.3f,\"seconds\":%.3f,\"cpuSeconds\":%.3f,"
            + "\"coldSeconds\":%.3f,\"coldCpuSeconds\":%.3f,\"peakMb\":%.1f}%n",
        cold.count(),
        median(timed, OneBuild::addSeconds),
        median(timed, OneBuild::seconds),
        median(timed, OneBuild::cpuSeconds),
        cold.seconds(),
        cold.cpuSeconds(),
        peak);
  }

  private record OneBuild(int count, double addSeconds, double seconds, double cpuSeconds) {}

  private static double median(List<OneBuild> builds, ToDoubleFunction<OneBuild> figure) {
    return builds.stream().mapToDouble(figure).sorted().skip(builds.size() / 2).findFirst().getAsDouble();
  }

  private static OneBuild build(String[] args) throws IOException {
    Path documents = Paths.get(args[1]);
    FieldType type = new FieldType();
    type.setIndexOptions(
        args[3].equals("positional") ? IndexOptions.DOCS_AND_FREQS_AND_POSITIONS : IndexOptions.DOCS_AND_FREQS);
    type.setTokenized(true);
    type.freeze();
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    // Whatever the build before left in the folder goes.
    config.setOpenMode(IndexWriterConfig.OpenMode.CREATE);
    config.setRAMBufferSizeMB(Double.parseDouble(args[4]));
    // Only neighbours are merged, so that the n-th document keeps the number n; and all on the one core there is.
    config.setMergePolicy(new LogByteSizeMergePolicy());
    config.setMergeScheduler(new SerialMergeScheduler());
    double cpuBefore = cpuSeconds();
    long start = System.nanoTime();
    long added;
    int count = 0;
    try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(documents), 1 << 16));
        IndexWriter writer = new IndexWriter(FSDirectory.open(Paths.get(args[2])), config)) {
      for (String text = next(in); text != null; text = next(in), count++) {
        Document document = new Document();
        document.add(new Field(FIELD, text, type));
        writer.addDocument(document);
      }
      writer.commit();
      added = System.nanoTime();
      writer.forceMerge(1);
      writer.commit();
    }
    long end = System.nanoTime();
    return new OneBuild(count, (added - start) / 1e9, (end - start) / 1e9, cpuSeconds() - cpuBefore);
  }

  /** Title and text of the next document; null at the end. */
  private static String next(DataInputStream in) throws IOException {
    String[] fields = new String[5];
    for (int field = 0; field < fields.length; field++) {
      int length;
      try {
        length = in.readInt();
      } catch (EOFException end) {
        return null;
      }
      fields[field] = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
    return fields[1] + "\n" + fields[4];
  }

  private static void query(String[] args) throws IOException {
    List<String[]> queries = new ArrayList<>();
    for (String line : Files.readAllLines(Paths.get(args[2]))) queries.add(line.split(" "));
    int limit = Integer.parseInt(args[3]);
    try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(Paths.get(args[1])))) {
      IndexSearcher searcher = new IndexSearcher(reader);
      // An answer kept from the last pass would not be a search.
      searcher.setQueryCache(null);
      StringJoiner modes = new StringJoiner(",", "{", "}");
      modes.add("\"documents\":" + reader.numDocs());
      for (BooleanClause.Occur occur : List.of(BooleanClause.Occur.MUST, BooleanClause.Occur.SHOULD)) {
        warm(searcher, queries, occur, limit, Integer.parseInt(args[4]), Long.parseLong(args[5]));
        String name = occur == BooleanClause.Occur.MUST ? "all" : "any";
        modes.add("\"" + name + "\":" + answers(searcher, queries, occur, limit, Integer.parseInt(args[6])));
      }
      System.out.println(modes);
    }
  }

  private static void warm(
      IndexSearcher searcher, List<String[]> queries, BooleanClause.Occur occur, int limit, int passes, long ms)
      throws IOException {
    long start = System.nanoTime();
    for (int pass = 0; pass < passes || System.nanoTime() - start < ms * 1_000_000; pass++)
      for (String[] words : queries) searcher.search(queryOf(words, occur), limit);
  }

  private static String answers(
      IndexSearcher searcher, List<String[]> queries, BooleanClause.Occur occur, int limit, int passes)
      throws IOException {
    long[][] times = new long[queries.size()][passes];
    for (int pass = 0; pass < passes; pass++)
      for (int place = 0; place < queries.size(); place++) {
        long start = System.nanoTime();
        searcher.search(queryOf(queries.get(place), occur), limit);
        times[place][pass] = System.nanoTime() - start;
      }
    StringJoiner us = new StringJoiner(",", "[", "]");
    StringJoiner matches = new StringJoiner(",", "[", "]");
    StringJoiner top = new StringJoiner(",", "[", "]");
    for (int place = 0; place < queries.size(); place++) {
      Arrays.sort(times[place]);
      us.add(String.format("%.1f", times[place][passes / 2] / 1e3));
      Query query = queryOf(queries.get(place), occur);
      matches.add(Integer.toString(searcher.count(query)));
      StringJoiner keys = new StringJoiner(",", "[", "]");
      for (ScoreDoc hit : searcher.search(query, limit).scoreDocs) keys.add(Integer.toString(hit.doc));
      top.add(keys.toString());
    }
    return "{\"us\":" + us + ",\"matches\":" + matches + ",\"top\":" + top + "}";
  }

  private static Query queryOf(String[] words, BooleanClause.Occur occur) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (String word : words) builder.add(new TermQuery(new Term(FIELD, word)), occur);
    return builder.build();
  }

  private static double cpuSeconds() {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e9;
  }

  /** VmHWM of this process. */
  private static double peakMb() throws IOException {
    for (String line : Files.readAllLines(Paths.get("/proc/self/status")))
      if (line.startsWith("VmHWM:")) return Double.parseDouble(line.replaceAll("\\D", "")) * 1024 / 1e6;
    return Double.NaN;
  }
}
