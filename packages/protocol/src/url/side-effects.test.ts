import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sideEffectOf } from './side-effects.ts'
import type { SideEffect } from './side-effects.ts'

const cases: [path: string, expected: SideEffect | undefined][] = [
  ['/', undefined],
  ['/docs/page.html?id=7', undefined],
  ['/cgi-bin/vote?id=3', 'program'],
  ['/x/search.cgi', 'program'],
  ['/scripts/gate.dll?x', 'program'],
  ['/index.php?page=2', undefined],
  ['/logout', 'action'],
  ['/account/Sign-Out.aspx', 'action'],
  ['/blog/how-to-logout-of-windows', undefined],
  ['/items/17/delete', 'action'],
  ['/delete/17', 'action'],
  ['/delete.php?id=17', 'action'],
  ['/docs/HTTP/Methods/DELETE', undefined],
  ['/files/0b9f3c1e-6f1e-4d2a-9c55-2f0b7c1d9e11/remove', 'action'],
  ['/poll/vote?choice=2', 'action'],
  ['/how-to-vote', undefined],
  ['/product/shoe?add-to-cart=99', 'action'],
  ['/w/index.php?title=Main&action=edit&section=2', 'action'],
  ['/w/index.php?title=Main&action=history', undefined],
  ['/2020/01/a-post?replytocom=55', 'action'],
  ['/posting.php?mode=reply&t=4', 'action'],
  ['/list?unsubscribe=me', 'action'],
  ['/calendar/2031/05', 'calendar'],
  ['/calendar/2027/05', undefined],
  ['/calendar/1970-01', 'calendar'],
  ['/calendar/action~month/20310517', 'calendar'],
  ['/1970/01/a-post', undefined],
  ['/archive/2031/report', undefined],
  ['/list.php?month=5&year=2031', 'calendar'],
  ['/list.php?month=5&year=2026', undefined],
  ['/films?year=1954', undefined],
  ['/events/?tribe-bar-date=2199-01-01', 'calendar'],
  ['/kalender?date=2040-01-01', 'calendar'],
]

for (const [path, expected] of cases) {
  test(`${path} is ${expected ?? 'an ordinary page'}`, () => {
    assert.equal(sideEffectOf(`https://a.example${path}`, 2026), expected)
  })
}

/** As they stand in real webs: manuals, mirrors, home pages, forums and shops. */
const real: Record<SideEffect | 'page', readonly string[]> = {
  page: [
    '/cgi/interface.html',
    '/cgi/overview.html',
    '/cgi/',
    '/cgi',
    '/cgi/arch-VRML/VRweb.html',
    '/homes/doe/cgi/research.html',
    '/users/doe/cgi/ssis/html/banner.html',
    '/classes/unix/cgi.shtml',
    '/libcgi-pm-perl/CGI.html',
    '/doc/CGI/Request.html',
    '/doc/CGI/Session/Tutorial.pod',
    '/perl/cgi/hello.txt',
    '/wiki/CGI',
    '/manual/howto/cgi.html',
    '/manual/howto/cgi.html.en',
    '/manual/mod/mod_cgi.html.zh-cn',
    '/manual/index.html.pl',
    '/wiki/Logout',
    '/wiki/Unsubscribe',
    '/glossary/opt-out',
    '/tags/logout',
    '/man1/logout',
    '/man1/logout.1',
    '/man1/logout.1.html',
    '/man3/logout.3.gz',
    '/src/sys/logout.c',
    '/en-US/api/session/logout.html',
    '/en-US/api/session/logout.html?highlight=session',
    '/django/auth/logout.html;v=2',
    '/help/unsubscribe.htm',
    '/legal/opt-out.pdf',
    '/images/logout.png',
    '/static/logout.svg',
    '/static/js/logout.js',
    '/logout/index.html',
    '/guides/logout/how-it-works',
    '/logout/how-it-works',
    '/2004/edit/intro.html',
    '/3/delete.html',
    '/api/17/delete.html',
    '/sql/delete.html',
    '/sql/delete.html?v=17',
    '/sql/delete.html?page=2',
    '/methods/remove',
    '/rest/follow.html',
    '/elections/2004/vote.html',
    '/2026/11/vote.html',
    '/archive/20040517/subscribe.txt',
    '/news/12/like.jpg',
    '/rfc/2369/unsubscribe.txt',
    '/tutorial/delete',
    '/docs/rollback',
    '/blog/unsubscribe-from-everything',
    '/forum/viewtopic.php?t=17&sid=507f1f77bcf86cd799439011',
    '/list?session=507f1f77bcf86cd799439011',
    '/index.php?s=0123456789abcdef',
    '/calendar/2026/11/index.html',
    '/w/index.php?title=CGI&oldid=17',
    '/w/index.php?title=Help:Logout',
    '/w/index.php?title=Help/Logout',
    '/search?q=logout',
    '/?s=unsubscribe',
    '/index.php?page=logout.html',
    '/index.php?page=wiki/logout',
    '/docs?page=logout-flow',
  ],
  program: [
    '/cgi/finger/novak',
    '/cgi/rwho.sh/vbb',
    '/users/novak/cgi/drawdemo',
    '/cgi/htimage/users/nn/images/world.map',
    '/cgi/bcn.web.wcgi',
    '/cgi?user=7',
    '/cgi-bin/manual.html',
    '/cgi-bin/',
    '/~doe/cgi-bin/guestbook',
    '/cgi-local/post.html',
    '/fcgi-bin/echo',
    '/HyperNews/get.cgi/Mac.html',
    '/htbin/anagram-generator.pl',
    '/finger.pl',
    '/gate/isapi.dll',
    '/download/setup.exe',
  ],
  action: [
    '/logout',
    '/logout/',
    '/logout;v=1',
    '/Logout.do',
    '/logout.php',
    '/Account/LogOff',
    '/Account/LogOff.aspx',
    '/accounts/logout/?next=/',
    '/user/logout?to=/',
    '/users/sign_out',
    '/users/sign_out.json',
    '/session/logout.action',
    '/wiki/Special:UserLogout',
    '/help/logout',
    '/logout.html?sid=0123456789abcdef0123456789abcdef',
    '/logout.html;jsessionid=0123456789ABCDEF0123456789ABCDEF',
    '/unsubscribe',
    '/unsubscribe/me@a.example',
    '/unsubscribe/me%40a.example',
    '/unsubscribe/8f2k3j4h5g6d',
    '/unsubscribe.html?id=17',
    '/unsubscribe.html?mail=me@a.example',
    '/mail/unsubscribe.php?u=17',
    '/optout/17',
    '/opt-out?id=17',
    '/shop/add-to-cart/17',
    '/shop/addtocart.aspx?sku=17',
    '/story/17/upvote',
    '/item/17/delete/',
    '/poll/delete.html?id=17',
    '/delete/507f1f77bcf86cd799439011',
    '/user/17/follow',
    '/post/17/like',
    '/post/17/edit',
    '/node/17/edit',
    '/w/index.php?title=Main&action=rollback',
    '/wp-login.php?action=logout',
    '/wiki/Main?action=edit',
    '/article?_method=delete',
    '/page.html?delete=17',
    '/page.html?action=delete',
    '/shop/shoe.html?add-to-cart=17',
    '/forum/posting.php?mode=quote&p=17',
    '/index.php?op=logout',
    '/w/index.php?title=Special:UserLogout&returnto=Main_Page',
    '/?q=user/logout',
    '/index.php?r=site%2Flogout',
    '/index.php?route=account/logout',
    '/index.php?option=com_users&task=user.logout',
    '/index.php?controller=auth&view=logout',
    '/index.php?page=logout',
  ],
  calendar: ['/agenda/2199', '/events/month/1970-01', '/cal.php?month=5&yr=2199'],
}
for (const [kind, paths] of Object.entries(real)) {
  for (const path of paths) {
    test(`${path} is ${kind === 'page' ? 'a page' : `kept away from as ${kind}`}`, () => {
      assert.equal(sideEffectOf(`https://a.example${path}`, 2026) ?? 'page', kind)
    })
  }
}

test('a host that is called like an action is an ordinary host', () => {
  assert.equal(sideEffectOf('https://logout.example', 2026), undefined)
  assert.equal(sideEffectOf('https://logout/', 2026), undefined)
})

test('a calendar walked ahead is left soon, whenever we start', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2000, max: 2100 }), (year) => {
      assert.equal(sideEffectOf(`https://a.example/calendar/${year}/01`, year), undefined)
      assert.equal(sideEffectOf(`https://a.example/calendar/${year + 3}/01`, year), 'calendar')
    }),
  )
})

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => assert.doesNotThrow(() => sideEffectOf(text, 2026))),
    {
      interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
      numRuns: 1_000_000,
      markInterruptAsFailure: false,
    },
  )
})
