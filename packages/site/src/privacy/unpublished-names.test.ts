import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { spellingsOf } from '@comity/protocol/testing'
import { unpublishedName } from './unpublished-names.ts'
import type { PrivateReason } from './private-reason.ts'

// oxfmt-ignore
const kept: Readonly<Partial<Record<PrivateReason, readonly string[]>>> = {
  backup: [
    'a.html~', 'a.html.~1~', '#a.html#', 'a.bak', 'a.html.bak2', 'a.backup', 'a.old', 'a.OLD', 'a.orig', 'a.swp', 'a.swo', 'a.tmp', 'a.part',
    'a.copy', 'index.php.bak', 'index.php.1', 'index.php-old', 'index.php_bak', 'wp-config.php.txt', 'a.bak.gz', 'backup.zip',
    'site-backup-2024.tar.gz', 'backups.tgz',
  ],
  'secret-file': [
    'y.sql', 'Y.SQL', 'y.sql.gz', 'y.sql.tar.bz2', 'y.psql', 'y.dump', 'y.dmp', 'y.bson', 'y.sqlite', 'y.sqlite3', 'y.db', 'y.db3', 'y.mdb',
    'y.accdb', 'y.sqlite-wal', 'y.db-journal', 'y.myd', 'y.ibd', 'y.rdb', 'a.pem', 'a.key', 'a.p12', 'a.pfx', 'a.p8', 'a.jks', 'a.keystore',
    'a.ppk', 'a.kdbx', 'a.kdb', 'a.ovpn', 'id_rsa', 'id_ed25519', 'ssh_host_rsa_key', 'prod.env', 'a.tfstate', 'htpasswd', 'htaccess',
    'credentials.json', 'secrets.yml', 'secrets.yaml', 'access.log', 'error_log', 'www-access.log.2.gz', 'CVS/Entries',
    'WEB-INF/web.xml', 'App_Data/x.xml',
  ],
  program: ['index.php', 'a.php5', 'a.cgi', 'cgi-bin/x', 'a.asp', 'a.jsp', 'web.config'],
}
for (const [reason, names] of Object.entries(kept))
  for (const name of names)
    test(`${name} is not published: ${reason}`, () => {
      assert.equal(unpublishedName(`/docs/${name.replaceAll('#', '%23')}`), reason)
      fc.assert(
        fc.property(spellingsOf(`/docs/${name}`, 'structure'), (spelling) => unpublishedName(spelling) === reason),
        { numRuns: 20 },
      )
    })

/** What sites publish, and what only looks like the others. */
// oxfmt-ignore
const published = [
  '', 'a.html', 'a.txt', 'a.pdf', 'a.zip', 'a.tar.gz', 'data.csv', 'data.json', 'shapes.dbf', 'a.crt', 'a.cer', 'id_rsa.pub', 'key.html', 'keys/',
  'sql/', 'sql.html', 'mysql/intro.html', 'mysql', 'learn-sql', 'database.html', 'backup', 'backup/', 'backup.html', 'how-to-backup.html',
  'oldest', 'the-old', 'old/', 'environment', 'env/', 'monkey', 'a.env.html', 'index.php.html', 'changelog', 'blog', 'a.log.html', 'dialog',
  'catalog', 'access', 'access-logs.html', 'secrets/', 'secrets.html', 'secrets', 'credentials', 'my-credentials', 'a.asc', 'a.sig', 'a.gpg', 'release-1.2.3', 'a.swf', 'a.swift', 'a.template',
  'partial.html', 'cvs', 'a.mysql.html',
]
for (const name of published)
  test(`/${name} says nothing against it`, () => assert.equal(unpublishedName(`/${name}`), undefined))
