# Scrapy over many sites, set up as its documentation has it for broad crawls: so many at once, one at a time to a site, its delay
# between two requests, robots obeyed. Prints the pages it got, with their digests.
import hashlib
import json
import sys

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

seeds, at_once, delay_ms = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
pages = {}


class Sites(scrapy.Spider):
    name = "sites"
    links = LinkExtractor()

    def start_requests(self):
        # Those of `start_urls` would be asked for again when a link leads there.
        with open(seeds) as lines:
            for url in lines.read().split():
                yield scrapy.Request(url, self.parse)

    def parse(self, response):
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        pages[response.url] = hashlib.sha256(response.body).hexdigest()[:32]
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url.split("#")[0], self.parse)


process = CrawlerProcess(
    {
        "LOG_ENABLED": False,
        "CONCURRENT_REQUESTS": at_once,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": delay_ms / 1000,
        # It would be half of the delay now and then.
        "RANDOMIZE_DOWNLOAD_DELAY": False,
        "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
        "REACTOR_THREADPOOL_MAXSIZE": 20,
        "COOKIES_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
        "RETRY_ENABLED": False,
    }
)
process.crawl(Sites)
process.start()
print(json.dumps({"pages": pages}, separators=(",", ":")))
