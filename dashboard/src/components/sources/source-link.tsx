import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSite } from '../../session/site.ts';

interface SourceLinkProps extends Pick<AnchorProps, 'underline'> {
  source: { readonly id: string; readonly name: string };
}

/** The name of a source, which leads to its page. */
export function SourceLink({ source: { id, name }, ...props }: SourceLinkProps) {
  const { slug } = useSite();
  return (
    <Anchor
      {...props}
      renderRoot={(props) => (
        <Link to="/$site/sources/$sourceId" params={{ site: slug, sourceId: id }} {...props} />
      )}
      c="inherit"
      inherit
      fw={600}
      style={{ overflowWrap: 'anywhere' }}
    >
      {name}
    </Anchor>
  );
}
