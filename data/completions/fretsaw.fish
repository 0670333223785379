# SPDX-License-Identifier: MIT
# Completion of fretsaw's commands and options for fish.
set -l commands coco cut frames maxflow mrf replay
set -l none "not __fish_seen_subcommand_from $commands"
set -l coco '__fish_seen_subcommand_from coco'
set -l cut '__fish_seen_subcommand_from cut'
set -l frames '__fish_seen_subcommand_from frames'
set -l maxflow '__fish_seen_subcommand_from maxflow'
set -l mrf '__fish_seen_subcommand_from mrf'
set -l replay '__fish_seen_subcommand_from replay'
set -l both "__fish_seen_subcommand_from $commands"

complete -c fretsaw -n "$none" -a cut -d 'Cut a photo without a window'
complete -c fretsaw -n "$none" -a replay -d "Play a session's strokes"
complete -c fretsaw -n "$none" -a coco -d 'Write sessions as a data set'
complete -c fretsaw -n "$none" -a frames -d 'Cut a sequence or a video'
complete -c fretsaw -n "$none" -a maxflow -d 'Cut any network'
complete -c fretsaw -n "$none" -a mrf -d "Label a grid's pixels"
complete -c fretsaw -n "$none" -l measure -d 'Time the backends'
complete -c fretsaw -n "$none" -l version -d 'Say what this build can do'
complete -c fretsaw -s h -l help -d 'Show help'

complete -c fretsaw -n "$both" -l mask -r -F -d 'Write the mask'
complete -c fretsaw -n "$both" -l report -r -F -d 'Write what was done'
complete -c fretsaw -n "$both" -l backend -x -a 'auto cpu cuda' -d 'Which solver'

complete -c fretsaw -n "$coco" -l out -r -F -d 'Write the data set'

complete -c fretsaw -n "$cut" -l seeds -r -F -d 'The strokes'
complete -c fretsaw -n "$cut" -l cutout -r -F -d 'Write the cut-out'
complete -c fretsaw -n "$cut" -l soft-edge -x -d 'Soften the border of the cut-out'
complete -c fretsaw -n "$cut" -l keep-hidden -d 'Keep colours under alpha 0'
complete -c fretsaw -n "$cut" -l labels -r -F -d 'Write the labels'
complete -c fretsaw -n "$cut" -l threads -x -d 'How many threads may solve'
complete -c fretsaw -n "$cut" -l neighbours -x -a '4 8' -d 'Neighbours of a pixel'
complete -c fretsaw -n "$cut" -l smoothness -x -d 'Smoothness of the border'
complete -c fretsaw -n "$cut" -l model -x -a 'geodesic kmeans gmm' -d 'What strokes mean'
complete -c fretsaw -n "$cut" -l skin -d 'Cut what has the colours of skin'
complete -c fretsaw -n "$cut" -l iterations -x -d 'How often gmm learns from its own mask'
complete -c fretsaw -n "$cut" -l preview -d 'A quick mask instead of the exact one'
complete -c fretsaw -n "$cut" -l levels -x -d 'Levels of the preview'
complete -c fretsaw -n "$cut" -l band -x -d 'Half width of the band of the preview'
complete -c fretsaw -n "$cut" -l verify -d 'Check the whole certificate'

complete -c fretsaw -n "$frames" -l out -r -F -d 'Write the masks into this folder'
complete -c fretsaw -n "$frames" -l cutouts -r -F -d 'Write cut-outs into this folder'
complete -c fretsaw -n "$frames" -l soft-edge -x -d 'Soften the border of the cut-outs'
complete -c fretsaw -n "$frames" -l keep-hidden -d 'Keep colours under alpha 0'
complete -c fretsaw -n "$frames" -l overlays -r -F -d 'Write pictures to check the masks by'
complete -c fretsaw -n "$frames" -l seeds -r -F -d 'The strokes'
complete -c fretsaw -n "$frames" -l session -r -F -d 'The strokes, as the window saves them'
complete -c fretsaw -n "$frames" -l skin -d 'Cut what has the colours of skin'
complete -c fretsaw -n "$frames" -l correct -x -d 'Strokes that correct frame N: N=FILE'
complete -c fretsaw -n "$frames" -l span -x -d 'Cut each frame with those before it'
complete -c fretsaw -n "$frames" -l lost -x -a 'skip empty last stop' -d 'What a frame without the object gets'
complete -c fretsaw -n "$frames" -l first -x -d 'Begin with this frame'
complete -c fretsaw -n "$frames" -l last -x -d 'End with this frame'
complete -c fretsaw -n "$frames" -l picture -r -F -d 'Only write the first picture'
complete -c fretsaw -n "$frames" -l backend -x -a 'auto cpu cuda' -d 'Which solver'
complete -c fretsaw -n "$frames" -l threads -x -d 'How many threads may solve'

complete -c fretsaw -n "$maxflow" -l cut -r -F -d 'Write the cut'
complete -c fretsaw -n "$maxflow" -l verify -d 'Check the whole certificate'

complete -c fretsaw -n "$mrf" -l out -r -F -d 'Write the labels'
complete -c fretsaw -n "$mrf" -l scale -x -d 'What labels are multiplied by'
complete -c fretsaw -n "$mrf" -l threads -x -d 'How many threads may solve'
complete -c fretsaw -n "$mrf" -l cycles -x -d 'Most cycles'
complete -c fretsaw -n "$mrf" -l moves -x -a 'expansion swap' -d 'What lowers the energy'
complete -c fretsaw -n "$mrf" -l reuse -x -a 'none cycle label both' -d 'Which flow is kept'
complete -c fretsaw -n "$mrf" -l verify -d 'Check the certificate of every cut'

complete -c fretsaw -n "$replay" -l photo -r -F -d 'The photo'
complete -c fretsaw -n "$replay" -l check -d 'Compare every exact mask with a fresh solve'
complete -c fretsaw -n "$replay" -l cutout -r -F -d 'Write the cut-out'
complete -c fretsaw -n "$replay" -l soft-edge -x -d 'Soften the border of the cut-out'
complete -c fretsaw -n "$replay" -l keep-hidden -d 'Keep colours under alpha 0'
complete -c fretsaw -n "$replay" -l labels -r -F -d 'Write the labels'
complete -c fretsaw -n "$replay" -l at-once -d 'Only the last mask, without pauses'
