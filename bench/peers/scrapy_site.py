# Scrapy over one site: every same-host link, no delay, robots obeyed as its project template does. Prints the pages it got.
import json
import sys
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

seed = sys.argv[1]
pages = set()


class Site(scrapy.Spider):
    name = "site"
    start_urls = [seed]
    allowed_domains = [urlsplit(seed).hostname]
    links = LinkExtractor()

    def parse(self, response):
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        # A folder's page and its index.html are one page for every contender.
        pages.add(response.url + "index.html" if response.url.endswith("/") else response.url)
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url.split("#")[0], self.parse)


process = CrawlerProcess(
    {"LOG_ENABLED": False, "CONCURRENT_REQUESTS": 64, "CONCURRENT_REQUESTS_PER_DOMAIN": 64, "ROBOTSTXT_OBEY": True, "RETRY_ENABLED": False}
)
process.crawl(Site)
process.start()
print(json.dumps({"pages": len(pages)}))
