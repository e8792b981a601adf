import fc from 'fast-check';

/** Targets whose paths are composed of what servers read in different ways, mostly below a program. */
export const programTargets = fc
  .tuple(
    fc.constantFrom('/app/', '/members/app/', '/public/', '/app/script.php/', '/', '/app', '/App/', '/app;/'),
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant('/') },
        {
          weight: 3,
          arbitrary: fc.constantFrom('x', 'members', 'public', 'app', 'a.b', 'v1..v2', 'C', '25'),
        },
        {
          weight: 4,
          arbitrary: fc.constantFrom('.', '..', '%2e', '%2E%2e', '%252e', '%25%32%65', '%25252e', '...'),
        },
        {
          weight: 3,
          arbitrary: fc.constantFrom('%2f', '%252F', '\\', '%5C', '%255c', '%ef%bc%8f', '%e2%88%95'),
        },
        {
          weight: 3,
          arbitrary: fc.constantFrom(
            ';',
            ';a=b',
            '%3b',
            '%00',
            '%2500',
            '%0a',
            '%20',
            '+',
            '%09',
            '%23',
            '%3f',
            '%2523',
            '?',
            '?a=/..',
            '%ef%bc%8e',
            '%e2%80%a5',
            '%e2%80%a6',
            '%e2%80%8b',
            '%c2%ad',
            '%cc%81',
            '%c3%a9',
            '%e6%96%87',
            '%ff',
            '%c0%ae',
            '%25c0%25ae',
            '%u002e',
            '%25u002e',
            '%25u2215',
            '%',
            '%25',
            '%zz',
            '%ef%bc%852e',
            ':',
            'c:',
            '.php/',
            '::$DATA',
            '~1',
            '*',
            '%22',
            '%7c',
            '!',
            '%27',
            '%c2%a5',
            '%ef%80%ae',
            '#',
          ),
        },
      ),
      { maxLength: 9 },
    ),
  )
  .map(([start, pieces]) => start + pieces.join(''));

type Reader = (target: string) => string[][];

/**
 * The names of the paths that servers read a target as, each in a simple model of its own. A server that rejects a target
 * reads nothing.
 */
export const programReaders: Readonly<Record<string, Reader>> = {
  // Decodes once, merges slashes, then resolves dots; rejects what leads out of the site.
  nginx: (target) => {
    const path = decodeOnce(cutAt(target, /[?#]/));
    return path.includes('\0') ? [] : [resolve(path)];
  },
  // Resolves dots, decodes, and resolves again; encoded slashes may be allowed, empty names stay.
  apache: (target) => {
    const first = resolve(cutAt(target, /\?/)).join('/');
    const decoded = decodeOnce(first);
    return decoded.includes('\0') ? [] : [resolve(decoded), resolve(decoded.replaceAll('\\', '/'))];
  },
  // Also decodes %u002e, reads backslashes, and knows no dots and blanks at the end of a name.
  iis: (target) => {
    const decoded = decodeUnits(decodeOnce(cutAt(target, /\?/))).replaceAll('\\', '/');
    const again = decodeUnits(decodeOnce(decoded)).replaceAll('\\', '/');
    return [decoded, again].flatMap((path) => {
      const names = path.split('/').map((name) => name.replace(/:.*/s, ''));
      return [resolve(path), resolve(names.join('/')), resolve(names.map(trimmed).join('/'))];
    });
  },
  // Removes parameters of each name before it resolves the dots, or after.
  tomcat: (target) => {
    const path = cutAt(target, /[?#]/);
    const decoded = decodeOnce(path);
    return [decodeOnce(withoutParameters(path)), withoutParameters(decoded), decoded].flatMap((each) => [
      resolve(each),
      resolve(each.replaceAll('\\', '/')),
    ]);
  },
  // Parses the target as a URL, which reads a backslash as a slash and `%2e` as a dot, and decodes what is left.
  node: (target) => {
    const url = URL.parse(target, 'http://club.example.org');
    if (url === null) return [];
    const decoded = decodeOnce(url.pathname);
    return [resolve(decoded), resolve(cutAt(decoded, /\0/))];
  },
  // A script gets the rest of the path, which it opens below its own folder; it may decode it again and cut it.
  php: (target) => {
    const path = resolve(decodeOnce(cutAt(target, /\?/))).join('/');
    const [, script = '', info = path] = /^(.*?\.php)(?=\/|$)(.*)$/s.exec(path) ?? [];
    const infos = [
      info,
      decodeOnce(info),
      info.replaceAll('\\', ''),
      cutAt(info, /\0/),
      decodeOnce(decodeOnce(info)),
    ];
    return infos.map((each) => resolve(`${script}/${each}`));
  },
  // Decodes until nothing changes, folds what looks like a sign, and removes what cannot be seen.
  cautious: (target) => {
    let path = cutAt(target, /[?#]/);
    for (let before = ''; before !== path; ) {
      before = path;
      path = decodeUnits(decodeOnce(path))
        .normalize('NFKC')
        .replaceAll(/[\u2215\u29f8]/g, '/');
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a program removes them
    const visible = path.replaceAll(/[\0-\x1f\x7f\u200b\u00ad\ufffd]/g, '');
    const letters = path.replaceAll(/[^\w./\\-]/g, '');
    return [path, visible, letters].flatMap((each) => [resolve(each), resolve(each.replaceAll('\\', '/'))]);
  },
};

/** The hosts that programs find in a target. */
export function hostsReadIn(target: string): string[] {
  const host = URL.parse(target, 'http://club.example.org')?.host;
  return host === undefined || host === 'club.example.org' ? [] : [host];
}

function cutAt(text: string, end: RegExp): string {
  return text.slice(0, text.search(end) === -1 ? text.length : text.search(end));
}

/** Leaves invalid escapes, and reads overlong UTF-8 as what it stands for. */
function decodeOnce(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex')
      .toString('latin1')
      .replace(/[\xc0\xc1][\x80-\xbf]/g, (pair) =>
        String.fromCharCode(((pair.charCodeAt(0) & 3) << 6) | (pair.charCodeAt(1) & 63)),
      )
      .replace(/[\x80-\xff]+/g, (high) => Buffer.from(high, 'latin1').toString()),
  );
}

function decodeUnits(path: string): string {
  return path.replace(/%u([0-9a-f]{4})/gi, (_, unit: string) =>
    String.fromCharCode(Number.parseInt(unit, 16)),
  );
}

function withoutParameters(path: string): string {
  return path.replaceAll(/;[^/]*/g, '');
}

function trimmed(name: string): string {
  return /^\.+$/.test(name) ? name.slice(0, 2) : name.replace(/[. ]+$/, '');
}

/** Without empty names and dot segments. Above the root, there is nothing but a name that no rule has. */
function resolve(path: string): string[] {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && names.pop() === undefined) names.push('outside');
    else if (name !== '' && name !== '.' && name !== '..') names.push(name);
  }
  return names;
}
