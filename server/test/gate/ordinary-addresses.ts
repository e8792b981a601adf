import type { AccessRule } from '@gatehouse/contract';

/** A site as a program makes it: its rules, and addresses that its pages link to. */
export interface OrdinarySite {
  readonly rules: readonly AccessRule[];
  readonly addresses: readonly string[];
}

const open = (path: string): AccessRule => ({ path, access: 'public' });
const members = (path: string): AccessRule => ({ path, access: 'members' });

/** The words of titles, as several languages write them. */
const words = [
  'rowing',
  'week',
  'members',
  'membership',
  'course',
  'courses',
  'club',
  'news',
  'été',
  'straße',
];
const scripts = ['コース', '初級-コース', 'новости', 'курс-1', 'أخبار', '강좌', 'ข่าว', 'संदेश', 'ειδήσεις'];
const numbers = [1, 2, 3, 10, 2024, 2025];

const pairs = words.flatMap((one) =>
  words.filter((other) => other !== one).map((other) => `${one}-${other}`),
);
const titles = [
  ...pairs,
  ...words.flatMap((word) => numbers.map((number) => `${word}-${number}`)),
  ...scripts,
  ...scripts.map((word) => `${word}-2`),
];
const dates = [2024, 2025, 2026].flatMap((year) =>
  ['01', '07', '11', '12'].map((month) => `${year}/${month}`),
);

const wordPress: OrdinarySite = {
  rules: [
    open('/'),
    members('/members'),
    members('/my-course'),
    members('/category/premium'),
    members('/premium-*'),
  ],
  addresses: [
    ...titles.map((title) => `/${title}/`),
    ...dates.flatMap((date) => [
      `/${date}/`,
      `/${date}/15/rowing/`,
      `/wp-content/uploads/${date}/boat-300x200.jpg`,
    ]),
    ...words.flatMap((word) => [`/category/${word}/`, `/category/${word}/page/2/`, `/tag/${word}/feed/`]),
    ...titles
      .slice(0, 60)
      .flatMap((title) => [`/members/${title}/`, `/my-course/${title}/?replytocom=7#respond`]),
    ...titles.slice(0, 40).map((title) => `/premium-${title}/`),
    '/wp-login.php',
    '/wp-admin/admin-ajax.php?action=x',
    '/wp-json/wp/v2/posts?per_page=5',
    '/xmlrpc.php',
    '/feed/',
    '/comments/feed/',
    '/wp-sitemap.xml',
    '/wp-includes/js/jquery/jquery.min.js?ver=3.6.1',
    '/author/ada/',
    '/?p=7',
    '/?s=rowing+week',
    '/wp-content/themes/plain/style.css',
    '/robots.txt',
    '/members-2/',
    '/membership/',
    '/members_archive/',
    '/my-courses/',
    '/mycourse/',
    '/premium/',
  ],
};

const ghost: OrdinarySite = {
  rules: [open('/'), members('/premium'), members('/tag/members'), members('/podcast')],
  addresses: [
    ...titles.flatMap((title) => [`/${title}/`, `/${title}/amp/`]),
    ...words.flatMap((word) => [`/tag/${word}-news/`, `/tag/hash-${word}/`, `/author/${word}/page/2/`]),
    ...dates.map((date) => `/content/images/size/w600/${date}/boat--1-.jpg`),
    '/rss/',
    '/sitemap-posts.xml',
    '/sitemap.xsl',
    '/members/api/member/',
    '/ghost/api/content/posts/?key=a',
    '/assets/built/screen.css?v=1f2e3d',
    '/public/cards.min.js',
    '/favicon.ico',
    '/p/0d3f-9a/',
    '/webmentions/',
    '/premium/week-1/',
    '/premium-plan/',
    '/podcasts/',
    '/podcast/1/',
    '/r/4f2a9c?m=1',
  ],
};

const hugo: OrdinarySite = {
  rules: [
    members('/'),
    open('/blog'),
    open('/css'),
    open('/index.xml'),
    members('/blog/internal'),
    open('/docs/open-*'),
  ],
  addresses: [
    ...titles.flatMap((title) => [`/blog/${title}/`, `/blog/${title}/index.html`, `/posts/${title}.html`]),
    ...words.flatMap((word) => [`/tags/${word}/`, `/tags/${word}/index.xml`, `/categories/${word}/page/3/`]),
    ...dates.map((date) => `/blog/${date}/boat_hu1f2e3d_120x80_fit_q75_box.jpg`),
    ...titles.slice(0, 40).flatMap((title) => [`/docs/open-${title}/`, `/docs/${title}/`]),
    '/css/main.min.4f9c.css',
    '/js/bundle.js',
    '/404.html',
    '/sitemap.xml',
    '/de/',
    '/de/blog/',
    '/robots.txt',
    '/blog/internal/minutes/',
    '/blog/internals/',
    '/blog/internal-2/',
    '/images/logo@2x.png',
  ],
};

const docusaurus: OrdinarySite = {
  rules: [
    members('/'),
    open('/docs/intro'),
    open('/docs/next/intro'),
    open('/assets'),
    open('/blog/tags/release'),
  ],
  addresses: [
    ...titles.flatMap((title) => [`/docs/${title}`, `/docs/category/${title}`, `/blog/2026/11/27/${title}`]),
    ...words.flatMap((word) => [
      `/docs/next/${word}/${word}-1`,
      `/docs/1.x/${word}`,
      `/docs/2.0.0-rc.1/${word}`,
    ]),
    ...numbers.map((number) => `/assets/js/${number}f2e3d4.${number}c9a8b7.js`),
    '/docs/intro',
    '/docs/introduction',
    '/docs/intro/setup',
    '/docs/next/intro',
    '/assets/css/styles.3f2a.css',
    '/blog/tags/release',
    '/blog/tags/releases',
    '/blog/archive',
    '/search?q=gate',
    '/img/docusaurus.png',
    '/api/@scope/package',
    '/api/interfaces/Options',
    '/api/variables/$default',
    '/docs/tags/c++',
  ],
};

const nextcloud: OrdinarySite = {
  rules: [
    members('/'),
    open('/s'),
    open('/apps/theming'),
    open('/core'),
    members('/s/internal'),
    open('/login'),
  ],
  addresses: [
    ...titles
      .slice(0, 60)
      .map((title) => `/apps/files/?dir=/Documents/&openfile=${title.length}&name=${title}`),
    ...titles.slice(0, 60).map((title) => `/s/aB3dE7gH9kLmNpQ/download?path=%2F&files=${title}`),
    ...words.flatMap((word) => [`/apps/${word}/`, `/apps/files/files/${word}?dir=/`, `/f/${word.length}12`]),
    ...numbers.flatMap((number) => [
      `/f/${number}`,
      `/core/preview?fileId=${number}&x=32`,
      `/avatar/ada/${number}`,
    ]),
    '/apps/theming/css/default.css?v=1',
    '/core/js/dist/main.js',
    '/ocs-provider/',
    '/index.php',
    '/status.php',
    '/login',
    '/login/v2',
    '/settings/user',
    '/s/internal',
    '/s/internal-2',
    '/.well-known/caldav',
    '/apps/files_sharing/publicpreview/aB3dE7',
    '/apps/text/session/create',
  ],
};

export const ordinarySites: Readonly<Record<string, OrdinarySite>> = {
  WordPress: wordPress,
  Ghost: ghost,
  Hugo: hugo,
  Docusaurus: docusaurus,
  Nextcloud: nextcloud,
};
