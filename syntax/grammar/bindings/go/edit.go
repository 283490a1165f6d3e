package tree_sitter_abl

// #include <stdint.h>
//
// // What this needs of tree-sitter's api.h, which the binding has for itself.
// typedef struct { uint32_t row, column; } TSPoint;
// typedef struct {
//   uint32_t start_byte, old_end_byte, new_end_byte;
//   TSPoint start_point, old_end_point, new_end_point;
// } TSInputEdit;
// void ts_tree_edit(void *, const TSInputEdit *);
import "C"

import sitter "github.com/smacker/go-tree-sitter"

// Edit tells a tree how its text was edited. The binding's own Edit takes the point at the old
// end for the new one as well. tree-sitter then keeps the size of a small node in one byte
// although more than 255 bytes were inserted into it, and reads what follows at wrong offsets.
func Edit(tree *sitter.Tree, e sitter.EditInput) {
	edit := C.TSInputEdit{
		start_byte: C.uint32_t(e.StartIndex), old_end_byte: C.uint32_t(e.OldEndIndex), new_end_byte: C.uint32_t(e.NewEndIndex),
		start_point: pointOf(e.StartPoint), old_end_point: pointOf(e.OldEndPoint), new_end_point: pointOf(e.NewEndPoint),
	}
	root := Root(tree)
	C.ts_tree_edit(root.node.tree, &edit)
}

func pointOf(p sitter.Point) C.TSPoint {
	return C.TSPoint{row: C.uint32_t(p.Row), column: C.uint32_t(p.Column)}
}
