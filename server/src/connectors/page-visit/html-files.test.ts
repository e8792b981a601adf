import { describe, expect, test } from 'vitest';
import { readStyleSheet } from './css-files.ts';
import { FoundFiles } from './found-files.ts';
import { readHtml } from './html-files.ts';

const page = new URL('https://club.example/dir/page?x=1');

function newFiles(): FoundFiles {
  const isOpen = () => true;
  return new FoundFiles({ locate: (url) => (url.origin === page.origin ? url : undefined), isOpen });
}

/** The files as `type path`. */
function lines(files: FoundFiles): string[] {
  return files.all.map(({ type, url }) => `${type} ${url.pathname}${url.search}`);
}

async function filesOf(html: string): Promise<string[]> {
  const files = newFiles();
  await readHtml(html, page, files);
  return lines(files);
}

function filesOfCss(css: string): string[] {
  const files = newFiles();
  readStyleSheet(css, page, files);
  return lines(files);
}

describe('a page loads', () => {
  test.each<[string, string[]]>([
    ['<link rel="Alternate StyleSheet" href=a.css>', ['style_sheet /dir/a.css']],
    [
      '<link rel="shortcut icon" href=/i.ico><link rel=apple-touch-icon href=/t.png>',
      ['image /i.ico', 'image /t.png'],
    ],
    [
      '<link rel=preload as=font href=/f.woff2><link rel=modulepreload href=/m.js>',
      ['font /f.woff2', 'script /m.js'],
    ],
    [
      '<link rel=preload as=style href=/p.css><link rel=preload as=fetch href=/d.json>',
      ['style_sheet /p.css', 'other /d.json'],
    ],
    ['<link rel=manifest href=/app.webmanifest>', ['other /app.webmanifest']],
    ['<script src=../s.js?v=2></script>', ['script /s.js?v=2']],
    [
      '<img src=a.png srcset="b.png 1x, c.png 2x">',
      ['image /dir/a.png', 'image /dir/b.png', 'image /dir/c.png'],
    ],
    [
      '<img srcset="data:image/png;base64,AA== 1x, d.png 2x,e.png">',
      ['image /dir/d.png', 'image /dir/e.png'],
    ],
    ['<picture><source srcset=a.avif><img src=a.png></picture>', ['image /dir/a.avif', 'image /dir/a.png']],
    [
      '<video src=v.mp4 poster=p.jpg><track src=t.vtt></video><audio src=a.mp3>',
      ['other /dir/v.mp4', 'image /dir/p.jpg', 'other /dir/t.vtt', 'other /dir/a.mp3'],
    ],
    [
      '<input type=image src=b.png><object data=o.pdf></object><embed src=e.pdf><iframe src=f.html></iframe>',
      ['image /dir/b.png', 'other /dir/o.pdf', 'other /dir/e.pdf', 'other /dir/f.html'],
    ],
    ['<svg><image href=a.png /><use xlink:href="i.svg#x"/></svg>', ['image /dir/a.png', 'image /dir/i.svg']],
    ['<p style="background: url(b.png)">', ['image /dir/b.png']],
    [
      '<style>@import "i.css"; a { background: url(c.png) }</style>',
      ['style_sheet /dir/i.css', 'image /dir/c.png'],
    ],
    [
      '<svg><style>a { fill: url(c.png) }</style><title/><image href=d.png></svg>',
      ['image /dir/c.png', 'image /dir/d.png'],
    ],
    ['<svg><foreignObject><title><img src=a></title></foreignObject></svg><img src=b>', ['image /dir/b']],
    ['<noscript><img src=n.png></noscript>', ['image /dir/n.png']],
    ['<IMG SRC="&#97;&period;png">', ['image /dir/a.png']],
    ['<img src="a.png"', []],
  ])('%s', async (html, expected) => {
    expect(await filesOf(html)).toEqual(expected);
  });

  test.each([
    '<!-- <img src=a.png> -->',
    '<script>"<img src=a.png>"</script>',
    '<script><!--<script></script><img src=a.png></script>',
    '<title><img src=a.png></title>',
    '<textarea><img src=a.png></textarea>',
    '<style><img src=a.png></style>',
    '<svg><![CDATA[<img src=a.png>]]></svg>',
    '<a href=a.png>a</a><link rel=canonical href=a><form action=a></form>',
    '<img src="#a"><img src=""><img src="data:image/png,a"><img src="javascript:a"><img src="blob:https://club.example/a">',
    '<img src="//other.example/a.png"><img src="https://club.example:444/a.png">',
  ])('nothing by %s', async (html) => {
    expect(await filesOf(html)).toEqual([]);
  });

  test('each file once', async () => {
    expect(await filesOf('<img src=/a.png><img src=/a.png#x><img src="https://club.example/a.png">')).toEqual(
      ['image /a.png'],
    );
  });

  test('files relative to its first base', async () => {
    expect(await filesOf('<base href=/sub/><base href=/other/><img src=a.png>')).toEqual([
      'image /sub/a.png',
    ]);
    expect(await filesOf('<base href=//other.example/><img src=a.png><img src=/b.png>')).toEqual([]);
    expect(await filesOf('<base href="data:text/html,a"><img src=a.png>')).toEqual(['image /dir/a.png']);
  });
});

describe('a style sheet loads', () => {
  test.each<[string, string[]]>([
    [
      '@import url(a.css) screen; @import/**/"b.css"; @IMPORT \'c.css\';',
      ['style_sheet /dir/a.css', 'style_sheet /dir/b.css', 'style_sheet /dir/c.css'],
    ],
    ['a { background: URL( "a b.png" ) }', ['image /dir/a%20b.png']],
    [
      '@font-face { src: url(f.woff2?v=1#iefix) format("woff2"), url(f.ttf) }',
      ['font /dir/f.woff2?v=1', 'font /dir/f.ttf'],
    ],
    [
      'a { background: url(\\61\\2e png) } b { background: url("x\\"y.png") }',
      ['image /dir/a.png', 'image /dir/x%22y.png'],
    ],
    ['a { background: url(a.png', ['image /dir/a.png']],
  ])('%s', (css, expected) => {
    expect(filesOfCss(css)).toEqual(expected);
  });

  test.each([
    '/* url(a.png) */',
    'a::before { content: "url(a.png)" }',
    'a { background: my-url(a.png) }',
    '@important "a.css";',
    'a { fill: url(#gradient) } b { background: url() }',
    '/* url(a.png)',
  ])('nothing by %s', (css) => {
    expect(filesOfCss(css)).toEqual([]);
  });
});

/** A megabyte of it. */
const much = (text: string) => text.repeat(Math.ceil(1_048_576 / text.length));

test.each([
  ['nested elements', much('<div>')],
  ['formatting elements', much('<a><b><nobr>')],
  ['nested SVG', much('<svg><foreignObject>')],
  ['attributes', `<p ${Array.from({ length: 150_000 }, (_, index) => `a${index.toString(36)} `).join('')}`],
  ['character references', `<p a="${much('&ampx&#x10ffff;')}`],
  ['unclosed comments', much('<!--')],
  ['unclosed tags', much('<')],
  ['candidates of an image', `<img srcset="${much('a (,')}">`],
  ['commas', `<img srcset="a${much(',')}b">`],
  ['a long base', `<base href="/${'a'.repeat(4_000)}">${much('<img src=//other.example>')}`],
  ['imports', `<style>${much('@import/*')}`],
  ['unclosed strings', `<style>${much('"\n')}`],
  ['unclosed URLs', `<style>${much('url( ')}`],
])(
  'a megabyte of %s is read in seconds, and lets other work go on',
  async (_, html) => {
    let turns = 0;
    const other = setInterval(() => {
      turns += 1;
    }, 1);
    const startedAt = process.cpuUsage().user;
    await filesOf(html);
    expect(process.cpuUsage().user - startedAt).toBeLessThan(10_000_000);
    clearInterval(other);
    expect(turns).toBeGreaterThan(0);
  },
  60_000,
);
