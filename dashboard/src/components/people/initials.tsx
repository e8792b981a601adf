import classes from './initials.module.css';

interface InitialsProps {
  /** The name, or the email address. */
  name: string;
  /** Decides the color, so that it stays when the name changes. */
  id: string;
  /** 20, 24 (the default) or 40 pixels. */
  size?: 'sm' | 'md' | 'lg';
}

/** The initials of a person on a colored ground, beside the name, which screen readers read instead. */
export function Initials({ name, id, size = 'md' }: InitialsProps) {
  return (
    <span
      className={classes.initials}
      data-size={size}
      data-color={colorOf(id)}
      // No text, which the name of a button would have to contain (WCAG 2.2, 2.5.3).
      data-initials={initialsOf(name)}
      aria-hidden
    />
  );
}

const colors = 8;

function colorOf(id: string): number {
  let sum = 0;
  for (let index = 0; index < id.length; index++) sum = (sum * 31 + id.charCodeAt(index)) % 65_521;
  return sum % colors;
}

/** The first letters of the first and the last word, or of the email address before its `@`. */
function initialsOf(name: string): string {
  const words = name.replace(/@.*/, '').match(/\p{L}[\p{L}\p{N}\p{M}'’]*/gu) ?? [];
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return ends.map((word) => String.fromCodePoint(word.codePointAt(0)!).toLocaleUpperCase()).join('') || '?';
}
