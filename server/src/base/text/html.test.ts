import { expect, test } from 'vitest';
import { html } from './html.ts';

test('a value is escaped in text and in attributes', () => {
  const hostile = `<script>"'&</script>`;
  const escaped = '&lt;script&gt;&quot;&#39;&amp;&lt;/script&gt;';
  expect(String(html`<p title="${hostile}">${hostile}</p>`)).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test('markup is not escaped again, alone or in a list', () => {
  const item = html`<li>${'&'}</li>`;
  expect(String(html`<ul>${[item, [item]]}${item}</ul>`)).toBe(`<ul>${'<li>&amp;</li>'.repeat(3)}</ul>`);
});

test('empty values print nothing, and zero prints 0', () => {
  expect(String(html`${null}${undefined}${false}${''}${[]}${0}`)).toBe('0');
});

test('an object that imitates markup is not inserted unescaped', () => {
  const forged = { toString: () => '<b>' } as unknown as string;
  expect(() => String(html`${forged}`)).toThrow();
  expect(String(html`${`${html`<b>`}`}`)).toBe('&lt;b&gt;');
});

test('a value in an attribute without double quotes throws', () => {
  const value = 'x onload=alert(1)';
  expect(() => html`<img alt=${value}>`).toThrow(TypeError);
  expect(String(html`<a href="/login?next=${'a'}">`)).toBe('<a href="/login?next=a">');
});
