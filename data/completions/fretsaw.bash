# SPDX-License-Identifier: MIT
# Completion of fretsaw's commands and options for bash.

_fretsaw_options() {
  case "$1" in
    cut)
      echo --out --alphas --cutouts --outlines --sessions --jobs --shard --devices --device --seeds --guess --find-subject --mask --alpha --cutout --soft-edge --edge-shift --edge-contrast --edge-smooth --clean-colours --remove-specks --fill-holes --edge-zones --keep-hidden --keep-metadata --mask-page --background --quality --labels --outline --outline-tolerance --report --backend --threads --neighbours \
        --smoothness --model --skin --iterations --preview --levels --band --verify --help
      ;;
    frames)
      echo --out --cutouts --soft-edge --edge-shift --edge-contrast --edge-smooth --clean-colours --remove-specks --fill-holes --keep-hidden --background --overlays --seeds --session --photo --skin --guess --find-subject --correct --span --lost --first --last --picture \
        --jobs --devices --device --backend --threads --report --help
      ;;
    coco) echo --photo --out --backend --help ;;
    export) echo --format --out --classes --packed --polygons --tolerance --photo --shard --replace --backend --help ;;
    import) echo --photos --out --replace --help ;;
    maxflow) echo --cut --report --backend --verify --help ;;
    mrf) echo --out --scale --report --backend --threads --cycles --reuse --verify --help ;;
    replay) echo --photo --guess --mask --alpha --cutout --soft-edge --edge-shift --edge-contrast --edge-smooth --clean-colours --remove-specks --fill-holes --keep-hidden --keep-metadata --mask-page --background --quality --labels --outline --outline-tolerance --report --backend --at-once --help ;;
    *) echo --version --hand-over --help ;;
  esac
}

# What may follow an option, as words; "file" and "number" stand for any.
_fretsaw_values() {
  case "$1" in
    --cut | --out | --seeds | --guess | --mask | --alpha | --edge-zones | --cutout | --labels | --outline | --report | --photo | --background | \
      --cutouts | --alphas | --outlines | --sessions | --overlays | --photos | --session | --picture | --hand-over | --classes) echo file ;;
    --format) echo coco yolo voc indexed labelme png ;;
    --backend) echo auto cpu cuda ;;
    --model) echo geodesic kmeans gmm ;;
    --neighbours) echo 4 8 ;;
    --soft-edge) echo auto ;;
    --find-subject) echo fretsaw-subject rembg backgroundremover transparent-background ;;
    --lost) echo skip empty last stop ;;
    --reuse) echo none cycle label both ;;
    --jobs | --devices | --device | --threads | --smoothness | --iterations | --levels | --band | --scale | --cycles | --span | --first | \
      --edge-shift | --edge-contrast | --edge-smooth | --clean-colours | --remove-specks | --fill-holes | --quality | --last | --correct | --tolerance | --shard) echo number ;;
  esac
}

_fretsaw() {
  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command='' values
  [ "$COMP_CWORD" -lt 2 ] || command=${COMP_WORDS[1]}
  # Readline makes words of their own of "=" and of what follows it.
  if [ "$word" = = ]; then
    word=''
  elif [ "$option" = = ]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  elif [ "$option" = --find-subject ]; then
    option='' # its value stands behind "=" alone
  fi
  values=$(_fretsaw_values "$option")
  if [ "$values" = file ] || { [ -z "$values" ] && [[ "$word" != -* ]]; }; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    if [ -z "$values" ] && [ "$COMP_CWORD" = 1 ]; then
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W 'coco cut export frames import maxflow mrf replay' -- "$word")
    fi
  elif [ "$values" = number ]; then
    COMPREPLY=()
  else
    mapfile -t COMPREPLY < <(compgen -W "${values:-$(_fretsaw_options "$command")}" -- "$word")
  fi
}

complete -F _fretsaw fretsaw
