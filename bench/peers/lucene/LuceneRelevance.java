import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.QueryBuilder;
import org.apache.lucene.util.Version;

/**
 * Lucene as a peer of bench/relevance.ts: its English analyser and BM25 over title and text in one field, each question
 * a bag of its words. Prints the numbers of what it finds for each question, best first, as JSON.
 *
 * <pre>
 *   java LuceneRelevance DOCUMENTS QUESTIONS K1 B MOST
 * </pre>
 *
 * Both files are rows of texts, each a length in four bytes, the highest first, and so many bytes of UTF-8.
 */
public final class LuceneRelevance {
  private static final String FIELD = "text";

  public static void main(String[] args) throws Exception {
    BM25Similarity similarity = new BM25Similarity(Float.parseFloat(args[2]), Float.parseFloat(args[3]));
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        Analyzer analyzer = new EnglishAnalyzer()) {
      IndexWriterConfig config = new IndexWriterConfig(analyzer).setSimilarity(similarity);
      List<String> documents = texts(Paths.get(args[0]));
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (String text : documents) {
          Document document = new Document();
          document.add(new TextField(FIELD, text, Field.Store.NO));
          writer.addDocument(document);
        }
        writer.forceMerge(1);
      }
      BooleanQuery.setMaxClauseCount(100_000);
      StringJoiner found = new StringJoiner(",", "[", "]");
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setSimilarity(similarity);
        QueryBuilder builder = new QueryBuilder(analyzer);
        for (String question : texts(Paths.get(args[1]))) {
          Query query = builder.createBooleanQuery(FIELD, question);
          StringJoiner numbers = new StringJoiner(",", "[", "]");
          if (query != null)
            for (ScoreDoc hit : searcher.search(query, Integer.parseInt(args[4])).scoreDocs)
              numbers.add(Integer.toString(hit.doc));
          found.add(numbers.toString());
        }
      }
      System.out.printf(
          "{\"version\":\"%s\",\"documents\":%d,\"found\":%s}%n", Version.LATEST, documents.size(), found);
    }
  }

  private static List<String> texts(Path path) throws IOException {
    List<String> texts = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(Files.newInputStream(path))) {
      while (true) {
        int length;
        try {
          length = in.readInt();
        } catch (EOFException end) {
          return texts;
        }
        texts.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
      }
    }
  }
}
