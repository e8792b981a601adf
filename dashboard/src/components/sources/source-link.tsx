import type { AnchorProps } from '@mantine/core';
import { LinkText } from '../layout/links.tsx';

interface SourceLinkProps extends Pick<AnchorProps, 'underline'> {
  source: { readonly id: string; readonly name: string };
}

/** The name of a source, which leads to its page. */
export function SourceLink({ source: { id, name }, ...props }: SourceLinkProps) {
  return (
    <LinkText
      {...props}
      from="/$site"
      to="/$site/sources/$sourceId"
      params={{ sourceId: id }}
      c="inherit"
      inherit
      fw={600}
    >
      {name}
    </LinkText>
  );
}
